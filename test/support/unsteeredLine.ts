import { noAgentHandlers, type SteeredLine } from '../../src-main/steering/handlers'

/** Of a bridge that knows no agents. */
export const unsteeredLine: SteeredLine = {
  handlers: noAgentHandlers,
  before: () => undefined,
  after: () => undefined,
  within: (run) => run(),
  close: () => undefined,
}
