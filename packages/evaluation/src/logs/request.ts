/** One request as a log has it: what was asked, what was on offer, what was called. Names are as the log writes them. */
export interface LoggedRequest {
  readonly id?: string;
  readonly query: string;
  /** Names of tools in the order of their calls, repeats included. */
  readonly called: readonly string[];
  /** Missing where the log does not say. */
  readonly offered?: readonly string[];
  readonly subset?: string;
  /** Whether the log says what came of it: a request at the end of a cut log was not answered, and that no tool was called says nothing. */
  readonly answered: boolean;
  /** Whether a person or a benchmark says what is right, so that no tool called means that none fits. */
  readonly labelled?: boolean;
  /**
   * Where one request may stand in several records, as when each call is a record or each holds the conversation so far: records with one
   * key that grow are one request. `extent` is how much of it this record has seen.
   */
  readonly growth?: { readonly key: string; readonly extent: number; readonly adds: boolean };
}
