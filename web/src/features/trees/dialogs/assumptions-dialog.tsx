import { Button } from "@mantine/core";
import { Dialog, DialogEnd } from "../../../ui/dialog.tsx";
import { uiTexts } from "../../../ui/texts.ts";
import { panelTexts } from "../panels/panel-texts.ts";
import styles from "./dialog.module.css";

/** The assumptions of an estimation, for those who may not edit it, or not now. */
export const AssumptionsDialog = ({ text, onClose }: { readonly text: string; readonly onClose: () => void }) => (
  <Dialog title={panelTexts.settings.assumptions} onClose={onClose}>
    <p className={styles.words}>{text}</p>
    <DialogEnd>
      <Button variant="default" onClick={onClose}>
        {uiTexts.close}
      </Button>
    </DialogEnd>
  </Dialog>
);
