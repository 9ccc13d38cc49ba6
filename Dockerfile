# Assay with the k6 that it is tested with, as npm pack packs it.
#
#   docker build -t assay .
#   docker run --rm --user "$(id -u)" -v "$PWD:/assay" -e BASE_URL=https://api.staging.example assay
#
# The folder at /assay is where it reads .env and profiles and writes reports/out. Base images are pinned by tag; pin them by digest where your rules ask for it.

FROM golang:1.26-bookworm AS k6
WORKDIR /k6
COPY load/k6/go.mod load/k6/go.sum ./
RUN CGO_ENABLED=0 GOBIN=/out go install -trimpath -ldflags='-s -w' tool

FROM node:22-bookworm-slim AS packed
WORKDIR /assay
COPY package.json package-lock.json ./
COPY .ci/runtime/package.json ./.ci/runtime/
RUN npm ci --omit=optional --no-audit --no-fund
COPY . .
RUN npm run prepack

FROM node:22-bookworm-slim
COPY --from=k6 /out/k6 /usr/local/bin/k6
COPY --from=packed /assay/LICENSE /assay/dist /opt/assay/
WORKDIR /assay
RUN install --directory --owner=node --group=node reports/out
ENV K6_BIN=/usr/local/bin/k6
USER 1000
ENTRYPOINT ["node", "/opt/assay/assay.cjs"]
CMD ["run"]
