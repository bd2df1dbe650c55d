interface TableHeadProps {
  readonly columns: readonly string[];
  /** Heading of a last column with actions, which only screen readers say. */
  readonly actions?: string;
}

export const TableHead = ({ columns, actions }: TableHeadProps) => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
      {actions !== undefined && (
        <th scope="col">
          <span className="unseen">{actions}</span>
        </th>
      )}
    </tr>
  </thead>
);
