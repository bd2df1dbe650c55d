ALTER TABLE "attempt_counts" RENAME TO "try_counts";--> statement-breakpoint
ALTER TABLE "try_counts" RENAME COLUMN "attempts" TO "tries";--> statement-breakpoint
ALTER TABLE "try_counts" RENAME CONSTRAINT "attempt_counts_pkey" TO "try_counts_pkey";--> statement-breakpoint
ALTER INDEX "attempt_counts_by_reset" RENAME TO "try_counts_by_reset";