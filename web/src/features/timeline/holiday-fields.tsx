import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { TimelineSettings } from "../../../../contract/endpoints/timelines.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { IconClose } from "../../ui/icons.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatDay } from "../../ui/numbers/format.ts";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { countriesQuery, holidayNamesQuery } from "./queries.ts";
import styles from "./settings.module.css";
import { timelineTexts } from "./texts.ts";

const t = timelineTexts.settings;

/** Years of holidays that are added at once, from the start of the work. */
const YEARS = 3;

interface FieldsProps {
  readonly startDate: string | null;
  readonly days: readonly string[];
  readonly onChange: (days: readonly string[]) => void;
  /** Whose public holidays were added last. */
  readonly place: TimelineSettings["holidayPlace"];
  readonly onPlace: (place: TimelineSettings["holidayPlace"]) => void;
}

/** The days on which nobody works: one by one, or the public holidays of a country. */
export function HolidayFields({ startDate, days, onChange, place, onPlace }: FieldsProps) {
  const names = useQuery(holidayNamesQuery({ holidayPlace: place, holidays: [...days] })).data;
  const countries = useQuery(countriesQuery);
  const [code, setCode] = useState("");
  const [region, setRegion] = useState("");
  const [day, setDay] = useState("");
  const from = Number((startDate ?? new Date().toISOString()).slice(0, 4));
  const to = from + YEARS - 1;
  const add = (more: readonly string[]) => onChange([...new Set([...days, ...more])].sort().slice(0, limits.holidays));
  const addCountry = useMutation({
    mutationFn: async () => {
      const query = { country: code, region: region || undefined, from, to };
      return (await api.listHolidays({ query })).data.holidays;
    },
    onSuccess: (found) => {
      add(found.map(({ date }) => date));
      onPlace({ country: code, region: region || null });
    },
  });
  const regions = countries.data?.find((country) => country.code === code)?.regions ?? [];
  return (
    <fieldset className={styles.holidays}>
      <legend>{t.holidays}</legend>
      <div className={styles.adding}>
        <label>
          <span>{t.country}</span>
          <Select
            value={code}
            onChange={({ currentTarget }) => {
              setCode(currentTarget.value);
              setRegion("");
            }}
          >
            <option value="">{t.choose}</option>
            {countries.data?.map((country) => (
              <option key={country.code} value={country.code}>
                {country.name}
              </option>
            ))}
          </Select>
        </label>
        {regions.length > 0 && (
          <label>
            <span>{t.region}</span>
            <Select value={region} onChange={({ currentTarget }) => setRegion(currentTarget.value)}>
              <option value="">{t.noRegion}</option>
              {regions.map((each) => (
                <option key={each.code} value={each.code}>
                  {each.name}
                </option>
              ))}
            </Select>
          </label>
        )}
        <Button
          variant="default"
          disabled={code === ""}
          loading={addCountry.isPending}
          onClick={() => addCountry.mutate()}
        >
          {t.addCountry(from, to)}
        </Button>
      </div>
      <div className={styles.adding}>
        <label>
          <span>{t.addDay}</span>
          <Input type="date" value={day} onChange={({ currentTarget }) => setDay(currentTarget.value)} />
        </label>
        <Button
          variant="default"
          disabled={day === ""}
          onClick={() => {
            add([day]);
            setDay("");
          }}
        >
          {t.add}
        </Button>
        {days.length > 0 && (
          <Button variant="subtle" onClick={() => onChange([])}>
            {t.removeAll}
          </Button>
        )}
      </div>
      {[countries.error, addCountry.error].map((error) =>
        error === null ? null : (
          <Notice key={error.message} kind="bad">
            {failureText(error)}
          </Notice>
        ),
      )}
      <span role="status" className="muted">
        {addCountry.data && t.found(addCountry.data.length)}
      </span>
      {days.length === 0 ? (
        <p className="muted">{t.noHolidays}</p>
      ) : (
        <ul className={styles.dayList}>
          {days.map((date) => (
            <li key={date}>
              {formatDay(date)}
              {names?.has(date) && <span className="muted">{names.get(date)}</span>}
              <ToolButton
                label={t.removeDay(formatDay(date))}
                look="small"
                onPress={() => onChange(days.filter((each) => each !== date))}
              >
                <IconClose size={12} />
              </ToolButton>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
