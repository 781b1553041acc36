import type { CommandContext } from '../../command'
import type { Session } from '../../session'

const MIB = 1024 * 1024

export const showTransfers = ({ output }: Pick<CommandContext, 'output'>, { client }: Session, machine: string) =>
  client.onEvent('machine.transferred', ({ machine: busy, path, bytes, total }) => {
    if (busy !== machine) return
    const share = total === null || total === 0 ? null : Math.min(1, bytes / total)
    const sizes = [bytes, ...(total === null ? [] : [total])].map((size) => (size / MIB).toFixed(1))
    output.progress(share, `${path}, ${sizes.join(' of ')} MiB`)
  })
