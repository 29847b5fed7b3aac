# The SPA with its own nginx: docker build -f deploy/web.Dockerfile .

ARG NODE_IMAGE=node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ARG NGINX_IMAGE=nginxinc/nginx-unprivileged:1.30.1@sha256:6f5c8f8836fce1eba7daa6b4f0dbfe7aa742be47e1b15386a67be7a3dbd06086
FROM $NODE_IMAGE AS manifests
WORKDIR /source
RUN --mount=type=bind,target=. mkdir -p /app/web /app/packages/contracts /app/packages/markdown \
 && cp package.json package-lock.json .npmrc /app/ && cp web/package.json /app/web/ \
 && cp packages/contracts/package.json /app/packages/contracts/ && cp packages/markdown/package.json /app/packages/markdown/

FROM $NODE_IMAGE AS build
WORKDIR /app
COPY --from=manifests /app ./
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --ignore-scripts --workspace web
COPY packages/contracts packages/contracts
COPY packages/markdown packages/markdown
COPY web web
RUN npm run build --workspace web

FROM $NGINX_IMAGE
# Writes only to /tmp, so the file system may be read-only.
ENV NGINX_ENVSUBST_OUTPUT_DIR=/tmp API_URL="" STRICT_TRANSPORT_SECURITY="" LISTEN=8080
COPY deploy/nginx/nginx.conf /etc/nginx/nginx.conf
COPY deploy/nginx/web.conf.template /etc/nginx/templates/server.conf.template
COPY LICENSE NOTICE /usr/share/nginx/
COPY --from=build /app/web/dist /usr/share/nginx/html
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=10s --start-period=30s --retries=6 CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:8080/healthz"]
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Parley web" \
      org.opencontainers.image.description="The web application of Parley, a multi-model AI chat platform that people host themselves" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
