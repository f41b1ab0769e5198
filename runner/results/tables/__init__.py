"""Result tables: from match records to rows and CSV files, and back as pandas data frames."""
