import type { ReactNode } from "react";

// Drawn on a grid of 16; the text beside them, or the label of their button, says what they mean.
const icon = (drawing: ReactNode) =>
  function Icon({ size = 16 }: { readonly size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {drawing}
      </svg>
    );
  };

export const IconPlus = icon(<path d="M8 3.5v9M3.5 8h9" />);
export const IconSearch = icon(<path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2L13.5 13.5" />);
export const IconTrash = icon(<path d="M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.5M9.2 7v3.5" />);
export const IconMore = icon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.4" />);
export const IconCopy = icon(<path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />);
export const IconBell = icon(<path d="M4 11V7a4 4 0 0 1 8 0v4l1 1.5H3zM6.5 14.2h3" />);
export const IconComment = icon(<path d="M2.5 3.5h11v7.5H7l-3 2.5V11H2.5z" />);
export const IconClose = icon(<path d="m4 4 8 8M12 4l-8 8" />);
export const IconUndo = icon(<path d="M6 3.5 3 6.5l3 3M3 6.5h6a3.5 3.5 0 0 1 0 7H7" />);
export const IconRedo = icon(<path d="m10 3.5 3 3-3 3M13 6.5H7a3.5 3.5 0 0 0 0 7h2" />);
export const IconUp = icon(<path d="M8 12.5v-9M4.5 7 8 3.5 11.5 7" />);
export const IconDown = icon(<path d="M8 3.5v9M4.5 9 8 12.5 11.5 9" />);
export const IconChevron = icon(<path d="m6 3.5 4.5 4.5L6 12.5" />);
export const IconCheck = icon(<path d="m3.5 8.5 3 3 6-7" />);
export const IconMenu = icon(<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />);
export const IconEdit = icon(<path d="m10.5 3 2.5 2.5-7 7-3 .5.5-3 7-7Z" />);
export const IconRotate = icon(<path d="M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3" />);
export const IconMove = icon(
  <path d="M8 2.5v11M2.5 8h11M6.3 4.2 8 2.5l1.7 1.7M6.3 11.8 8 13.5l1.7-1.7M4.2 6.3 2.5 8l1.7 1.7M11.8 6.3 13.5 8l-1.7 1.7" />,
);
export const IconInfo = icon(<path d="M3 3.5h10v9H3zM9 3.5v9M11 6.5h.01M11 9h.01" />);
export const IconPencil = icon(<path d="M3 13l.7-3L10.6 3.1l2.3 2.3L6 12.3zM9.3 4.4l2.3 2.3" />);
