# Gatehouse in a container: the files of a release (scripts/release.ts) on a small Debian, without PostgreSQL.
# docker build --tag gatehouse . && docker compose --file deploy/compose.yaml up
FROM docker.io/library/node:24-trixie-slim AS build
WORKDIR /source
COPY . .
RUN npm run release -- --folder /opt/gatehouse --without-postgres

FROM docker.io/library/debian:trixie-slim
COPY --from=build /opt/gatehouse /opt/gatehouse
ENV PATH=/opt/gatehouse:/usr/bin:/bin \
    GATEHOUSE_HOST=0.0.0.0 \
    GATEHOUSE_DATA_DIR=/data
# Secrets, counts that are not yet in the database, and the request log; one volume for each container.
RUN install --directory --owner=65532 --group=65532 --mode=0700 /data
VOLUME /data
# By number, so that Kubernetes can see that it is not root. Nothing outside /data and /tmp is written.
USER 65532:65532
WORKDIR /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["gatehouse", "ready"]
ENTRYPOINT ["gatehouse"]
CMD ["start"]
