/** What the page inserts to show how an outline is written; it is kept whole, as it is read whole. */
export const OUTLINE_EXAMPLE = `# Checkout for the web shop

Client: Nordlicht Outdoor
Hourly rate: 112
Currency: EUR

- Payment (choose one, required)
  - [x] Card: 4-16-34 @backend
    - Extras (choose any)
      - [x] 3-D Secure: 2-4-9
      - [ ] Refunds: 2d-1w
  - [ ] Invoice: 3-6-14 @backend
- Screens
  - Address form: 3-5-8 @frontend
  - Summary and confirmation: 4-8-16 @frontend
`;
