import type { MachineState, StreamKind } from '@shared/contract/machine'
import { call } from './call'
import { requireFront } from './machineControl'
import { frontMachine } from './machines'

export const streamOf = (
  state: MachineState | undefined,
  stream: StreamKind,
): MachineState['streams'][number] | undefined => state?.streams.find((other) => other.stream === stream)

export async function toggleStream(stream: StreamKind): Promise<void> {
  await call('machine.setStream', {
    machine: requireFront(),
    stream,
    on: streamOf(frontMachine(), stream) === undefined,
  })
}
