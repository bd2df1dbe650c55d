import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

/** A request that is started with `start`. */
export type SecretRequest<Input> = Pick<
  UseMutationResult,
  "isPending" | "isSuccess" | "isError" | "error" | "reset"
> & {
  readonly start: (input: Input) => void;
};

/**
 * A request whose input or response is secret. The cache of mutations keeps what it is given and what it returns for
 * minutes, so it receives neither: `run` hands over the response by itself.
 */
export function useSecretRequest<Input>(run: (input: Input) => Promise<void>): SecretRequest<Input> {
  const given = useRef<Input>(undefined);
  const { isPending, isSuccess, isError, error, reset, mutate } = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const input = given.current as Input;
      given.current = undefined;
      await run(input);
    },
  });
  const start = (input: Input) => {
    given.current = input;
    mutate();
  };
  return { isPending, isSuccess, isError, error, reset, start };
}
