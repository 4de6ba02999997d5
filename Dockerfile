# Arena with everything that `pip install playarena` brings:
#   docker build -t playarena .
#   docker run --rm -v "$PWD:/data" playarena run benchmark.yaml
#   docker compose up view
FROM python:3.11-slim AS build
RUN pip install --no-cache-dir "uv>=0.9,<1"
COPY . /source
WORKDIR /source
RUN uv build --all-packages --wheel --out-dir /wheels

FROM python:3.11-slim
COPY --from=build /wheels /wheels
# The versions are those of the wheels that were just built.
# hadolint ignore=DL3013
RUN pip install --no-cache-dir --find-links /wheels playarena \
    && rm -rf /wheels \
    && useradd --create-home player
USER player
WORKDIR /data
EXPOSE 8765
ENTRYPOINT ["arena"]
CMD ["--help"]
