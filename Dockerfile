# Joust with a broker, a sandbox and compiled planners; see docs/how-to/containers.md.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
COPY . /source
RUN pip install --no-cache-dir --prefix /installed /source

FROM python:3.12-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends bubblewrap mosquitto \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /installed /usr/local
RUN useradd --create-home joust && install --directory --owner joust /contest
USER joust
WORKDIR /contest
ENTRYPOINT ["joust"]
CMD ["--help"]
