CREATE TABLE "upstream_budgets" (
	"endpoint" text NOT NULL,
	"upstream" text NOT NULL,
	"unit" text NOT NULL,
	"period_from" bigint NOT NULL,
	"used" bigint NOT NULL,
	CONSTRAINT "upstream_budgets_pkey" PRIMARY KEY("endpoint","upstream","unit","period_from")
);
