# The service without a PostgreSQL of its own: set DATABASE_URL, SESSION_SECRET and ENCRYPTION_KEY. compose.yaml runs it with all it needs.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund
RUN node scripts/pack.ts --without-postgres --into /app

FROM node:24-alpine
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
COPY --from=build /app /app
WORKDIR /app
USER node
# Authorities to trust, and mails where there is no mail server. Nothing else is written: run it with a read-only root.
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# A worker alone does not listen: compose.yaml turns its check off.
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 CMD ["node", "deploy/healthy.js"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "main.js"]
CMD ["serve"]
