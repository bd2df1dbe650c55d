import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Delivery } from "../../../../contract/endpoints/webhooks.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import type { LogSearch } from "./log-search.ts";

const FOLLOW_MS = 1_000;
const WATCH_MS = 5_000;

/** Which events there are, with when each happens. */
export const catalogueQuery = queryOptions({
  queryKey: keys.webhookEvents,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await api.listWebhookEvents()).data.events,
});

export const webhooksQuery = infiniteQueryOptions({
  queryKey: keys.webhooks,
  queryFn: async ({ pageParam: cursor }) =>
    (await api.listWebhooks({ query: { limit: limits.pageSizeMax, cursor } })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: keys.webhook(id),
    // Its health changes by itself.
    staleTime: 0,
    queryFn: async () => (await api.getWebhook({ params: { id } })).data.webhook,
  });

/** Whether something will happen to a delivery by itself. */
export const isUnderWay = ({ completedAt }: Pick<Delivery, "completedAt">): boolean => completedAt === null;

export const deliveriesQuery = (id: string, { status, event }: LogSearch) =>
  infiniteQueryOptions({
    queryKey: keys.deliveryList(id, status, event),
    queryFn: async ({ pageParam: cursor }) => {
      const filters = { status: status && [status], event: event && [event] };
      return (await api.listDeliveries({ params: { id }, query: { ...filters, cursor } })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // Several pages are read again one after another: only the first is watched.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.deliveries.some(isUnderWay) ? WATCH_MS : false,
  });

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: keys.delivery(id, deliveryId),
    queryFn: async () => (await api.getDelivery({ params: { id, deliveryId } })).data.delivery,
    refetchInterval: ({ state: { data } }) => {
      if (!data || !isUnderWay(data)) return false;
      return data.status === "pending" ? FOLLOW_MS : WATCH_MS;
    },
  });
