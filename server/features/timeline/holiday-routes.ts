import type { Country, Holiday, holidays } from "../../../contract/endpoints/holidays.ts";
import { limits } from "../../../contract/limits.ts";
import { failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { inTurn, LARGE_BYTES } from "../../platform/compute.ts";

const DAY_MS = 86_400_000;

/** Years of countries and regions that are retained, some 2 KB each. */
const CACHED = 500;

/** Its data take a tenth of a second to load, and some 20 MB: only for those who ask for holidays. */
const load = async () => (await import("date-holidays")).default;

interface Place {
  readonly country: string;
  readonly region: string | undefined;
}

/** The public holidays of countries. */
export function holidayRoutes(): Handlers<typeof holidays> {
  let countries: Promise<readonly Country[]> | undefined;
  const cached = new Map<string, readonly Holiday[]>();

  const known = (): Promise<readonly Country[]> => {
    countries ??= load().then((Calendar) => {
      const calendar = new Calendar();
      const sorted = (names: Readonly<Record<string, string>> | undefined) =>
        Object.entries(names ?? {})
          .map(([code, name]) => ({ code, name }))
          .sort((a, b) => a.name.localeCompare(b.name, "en"));
      return sorted(calendar.getCountries("en")).map(({ code, name }) => ({
        ...{ code, name, regions: sorted(calendar.getStates(code)) },
      }));
    });
    return countries;
  };

  /** Some calendars count moons, which takes up to 50 ms for a year. */
  const ofYear = async (place: Place, year: number): Promise<readonly Holiday[]> => {
    const key = `${place.country} ${place.region ?? ""} ${year}`;
    const found = cached.get(key);
    if (found) return found;
    const Calendar = await load();
    const made = await inTurn(LARGE_BYTES, () => {
      const calendar = place.region ? new Calendar(place.country, place.region) : new Calendar(place.country);
      return calendar.getHolidays(year, "en").flatMap(({ type, date, start, end, name }) => {
        if (type !== "public") return [];
        const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
        const first = Date.parse(date.slice(0, 10));
        return Array.from({ length: days }, (_, day) => ({
          ...{ date: new Date(first + day * DAY_MS).toISOString().slice(0, 10), name },
        }));
      });
    });
    if (cached.size >= CACHED) cached.clear();
    cached.set(key, made);
    return made;
  };

  return {
    async listHolidayCountries() {
      return { data: { countries: [...(await known())] } };
    },

    async listHolidays({ query: { from, to, ...place } }) {
      const country = (await known()).find(({ code }) => code === place.country);
      const fault = faultOf(country, place.region, from, to);
      if (fault) failWith([{ in: "query", ...fault }]);
      const years: (readonly Holiday[])[] = [];
      for (let year = from; year <= to; year += 1) years.push(await ofYear({ region: undefined, ...place }, year));
      // Two holidays may fall on one day.
      const byDate = new Map(years.flat().map((holiday) => [holiday.date, holiday]));
      return { data: { holidays: [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1)) } };
    },
  };
}

function faultOf(country: Country | undefined, region: string | undefined, from: number, to: number) {
  if (!country)
    return { path: "/country", code: "unknown_reference", message: "must be the code of a listed country" } as const;
  if (region !== undefined && !country.regions.some(({ code }) => code === region)) {
    return {
      path: "/region",
      code: "unknown_reference",
      message: "must be the code of a region of the country",
    } as const;
  }
  if (to < from)
    return { path: "/to", code: "too_small", message: "must not be before `from`", expected: from } as const;
  const last = from + limits.holidayYears - 1;
  if (to > last) return { path: "/to", code: "too_large", message: `must be at most ${last}`, expected: last } as const;
  return null;
}
