# Assay with the k6 that it is tested with. The steps are those of README.md: npm ci, npm start.
#
#   docker build -t assay .
#   docker run --rm -e BASE_URL=https://api.staging.example -v "$PWD/out:/assay/reports/out" assay
#   docker run --rm -e BASE_URL=… --entrypoint npm assay run load -- login
#
# The folder for the reports must be writable for user 1000. Base images are pinned by tag; pin them by digest where your rules ask for it.

FROM golang:1.26-bookworm AS k6
WORKDIR /k6
COPY load/k6/go.mod load/k6/go.sum ./
RUN GOBIN=/out go install tool

FROM node:22-bookworm-slim AS installed
WORKDIR /assay
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
WORKDIR /assay
COPY --from=k6 /out/k6 /usr/local/bin/k6
COPY --from=installed /assay/node_modules ./node_modules
COPY . .
RUN install --directory --owner=node --group=node reports/out
ENV K6_BIN=/usr/local/bin/k6
USER 1000
ENTRYPOINT ["npm", "start", "--silent", "--"]
