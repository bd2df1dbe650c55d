/** Texts of the tour of the editor. */
export const tourTexts = {
  label: "Tour",
  step: (at: number, of: number) => `Tour: ${at} of ${of}`,
  back: "Back",
  next: "Next",
  done: "Done",
  leave: "Leave the tour",
  steps: [
    {
      at: "[role=grid], [role=treegrid]",
      title: "Questions and options",
      text: "Each question has options that answer it. Only the options you choose count: click the mark before one, or press Space.",
    },
    {
      at: "[role=columnheader]:nth-of-type(3), thead th:nth-of-type(3)",
      title: "Three points instead of one",
      text: "Low, likely and high say how sure you are. Type 4-16-34 or 2d-1w into a cell and all three are filled.",
    },
    {
      at: "#side-panel, aside",
      title: "How long it takes, and how sure that is",
      text: "The large figure is the P80: in 8 of 10 cases the work takes no longer. Below it stands what makes it uncertain.",
    },
    {
      at: "nav[aria-label^=Pages]",
      title: "From estimate to plan",
      text: "Generate tasks, plan them on a timeline, and compare versions. Share the estimation or have it reviewed before you submit it.",
    },
    {
      at: "header [aria-keyshortcuts]",
      title: "Everything by keyboard",
      text: "Ctrl+K finds every page and every command, and “?” lists the keys of the page. This tour is there too.",
    },
  ],
} as const;
