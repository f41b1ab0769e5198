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
RUN useradd --create-home --uid 1000 joust && install --directory --owner joust /contest
# a number: Kubernetes then knows that it is not root
USER 1000
WORKDIR /contest
ENTRYPOINT ["joust"]
CMD ["--help"]
