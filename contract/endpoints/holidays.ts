import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { component, DateText, Shape } from "../shapes.ts";

const [FIRST_YEAR, LAST_YEAR] = [1970, 2199];
const Year = (description: string) => Type.Integer({ minimum: FIRST_YEAR, maximum: LAST_YEAR, description });

export const CountryCode = Type.String({
  ...{ pattern: "^[A-Z]{2}$", "x-form": "two capital letters", description: "Its code" },
});
export const RegionCode = Type.String({
  ...{ pattern: "^[A-Z0-9]{1,3}$", "x-form": "one to three capital letters and digits" },
  description: "Its code in the country",
});

const Region = Shape({
  code: Type.String({ description: "Such as `BY`" }),
  name: Type.String({ description: "In a language of the country" }),
});

/** A country whose public holidays are known. */
export const Country = component(
  "Country",
  Shape({
    code: Type.String({ description: "Two letters of ISO 3166, such as `DE`" }),
    name: Type.String({ description: "In English" }),
    regions: Type.Array(Region, { description: "Its parts that have holidays of their own" }),
  }),
);
export type Country = Static<typeof Country.schema>;

export const Holiday = component(
  "Holiday",
  Shape({
    date: Type.String({ ...DateText }),
    name: Type.String({ description: "In English where it has an English name" }),
  }),
);
export type Holiday = Static<typeof Holiday.schema>;

export const holidays = endpoints({
  listHolidayCountries: {
    method: "GET",
    path: "/api/holidays/countries",
    summary: "List the countries whose public holidays are known, by name",
    access: "estimations:read",
    response: { status: 200, data: Shape({ countries: Type.Array(Country.ref) }) },
  },
  listHolidays: {
    method: "GET",
    path: "/api/holidays",
    summary: "List the public holidays of a country, or of a region of it, by date",
    description: `For the \`holidays\` of a timeline, which takes any dates. At most ${limits.holidayYears} years at once. A holiday of several days has a row for each.`,
    access: "estimations:read",
    query: Shape({
      country: CountryCode,
      region: Type.Optional(RegionCode),
      from: Year("The first year"),
      to: Year(`The last year, at most ${limits.holidayYears - 1} later`),
    }),
    response: { status: 200, data: Shape({ holidays: Type.Array(Holiday.ref) }) },
  },
});
