-- Partitioned by time so that old data is dropped, not deleted. Partitions are made by server/health/history/partitions.ts.
-- Time in each state is in milliseconds; what is missing from a bucket's length is UNKNOWN.
-- Sums and counts are kept rather than averages, so that coarser rollups and late additions are exact.
CREATE TABLE health_rollup_5m (
  service_id text NOT NULL,
  bucket timestamptz(0) NOT NULL,
  up_ms integer NOT NULL,
  latency_ms integer NOT NULL,
  down_ms integer NOT NULL,
  probes integer NOT NULL,
  failures integer NOT NULL,
  lag_blocks_sum double precision NOT NULL,
  lag_blocks_max double precision NOT NULL,
  lag_sec_sum double precision NOT NULL,
  lag_sec_max double precision NOT NULL,
  rtt_p50_ms real NOT NULL,
  rtt_p95_ms real NOT NULL,
  live_min integer NOT NULL,
  PRIMARY KEY (service_id, bucket)
) PARTITION BY RANGE (bucket);
--> statement-breakpoint
CREATE TABLE health_rollup_1h (LIKE health_rollup_5m INCLUDING ALL) PARTITION BY RANGE (bucket);
--> statement-breakpoint
CREATE TABLE health_rollup_1d (LIKE health_rollup_5m INCLUDING ALL);
