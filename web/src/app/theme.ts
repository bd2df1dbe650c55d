import { Button, type CSSVariablesResolver, createTheme, Input } from "@mantine/core";
import { KeptButton } from "../ui/kept-button.tsx";

const FONT = '"Inter Variable", "Inter Fallback", system-ui, sans-serif';

export const theme = createTheme({
  fontFamily: FONT,
  primaryColor: "indigo",
  primaryShade: { light: 7, dark: 7 },
  // Neutral tones of our dark surfaces (`styles.css`), from text to ground.
  colors: {
    dark: [
      "#e5e7ea",
      "#a6adb7",
      "#8f97a2",
      "#5b636d",
      "#3a4048",
      "#2b3036",
      "#1c1f23",
      "#15171a",
      "#101214",
      "#0b0c0e",
    ],
  },
  defaultRadius: "sm",
  // Of `styles.css`.
  radius: { sm: "var(--radius-s)" },
  fontSizes: {
    xs: "var(--text-s)",
    sm: "var(--text-m)",
    md: "var(--text-l)",
    lg: "var(--text-xl)",
    xl: "var(--text-xxl)",
  },
  headings: { fontFamily: FONT, fontWeight: "600" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // What is not required says so in its label.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // All controls have the height of ours, whatever their size is.
    Input: Input.extend({
      vars: (_, { multiline }) => ({ wrapper: multiline ? {} : { "--input-height": "var(--control)" } }),
    }),
    Button: Button.extend({
      defaultProps: { component: KeptButton },
      vars: () => ({ root: { "--button-height": "var(--control)" } }),
    }),
  },
});

/** Mantine's own secondary colours are too pale: these reach 4.5 : 1 on every surface of ours. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-text": "#1b1e23",
    "--mantine-color-dimmed": "#545b65",
    "--mantine-color-placeholder": "#69717c",
    "--mantine-color-error": "#c01f1f",
    "--mantine-color-default-border": "#cdd2d9",
  },
  dark: {
    "--mantine-color-body": "#15171a",
    "--mantine-color-text": "#e5e7ea",
    "--mantine-color-dimmed": "#a6adb7",
    "--mantine-color-placeholder": "#8f97a2",
    "--mantine-color-error": "#ff8f8f",
    "--mantine-color-default": "#1c1f23",
    "--mantine-color-default-hover": "#24282d",
    "--mantine-color-default-border": "#3a4048",
  },
});
