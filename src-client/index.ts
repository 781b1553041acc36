import { callTool, type Answer, type Call, type CallOptions, type Server } from './calls.ts'
import { openEvents, type Events } from './events.ts'
import { createTools, type Tools } from './generated.ts'

export { BridgedeckError, type Answer, type CallOptions, type Server } from './calls.ts'
export type { Events, ReceivedFrame } from './events.ts'
export type { EventName, EventPayloads, Frame, FrameRequest, Tools } from './generated.ts'

export interface Bridgedeck extends Tools {
  call(tool: string, op: string, given?: object, options?: CallOptions): Promise<Answer>
  /** @throws BridgedeckError where no server answers, or it refuses */
  events(): Promise<Events>
}

export function connect(server: Server): Bridgedeck {
  const call: Call = (tool, op, given = {}, options = {}) => callTool(server, [tool, op], given, options)
  return { ...createTools(call), call, events: () => openEvents(server) }
}
