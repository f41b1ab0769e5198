"""Result tables: match records -> rows -> CSV, and back as data frames. Only `load` imports pandas."""
