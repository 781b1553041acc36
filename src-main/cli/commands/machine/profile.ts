import { flameGraph } from '@shared/c64/profile/flameGraph'
import { addressesIn, reportProfile, type ProfileReport } from '@shared/c64/profile/profileReport'
import { MAX_FOLLOWED_FRAMES, type Profile } from '@shared/contract/running'
import { counted } from '@shared/countedText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine, number, withDefault } from '../../parameters'
import { nameLocations } from '../../place'
import { table, toned, type Printed } from '../../printed'
import { saveFile } from '../../saveFile'
import { machineGroup as group } from './group'

export const machineProfile = defineCommand({
  group,
  name: 'profile',
  summary: 'Show which routines and labels use the CPU time.',
  details:
    'Follows the machine for some frames, then leaves it as it was: running or paused. A checkpoint or a pause ends it earlier. Cycles count for the label before the instruction; without a label, for the routine that JSR entered. Interrupts are listed separately.',
  options: {
    frames: withDefault(number('N', 'How many frames.', { min: 1, max: MAX_FOLLOWED_FRAMES }), 50),
    limit: withDefault(number('COUNT', 'How many rows to print; --json has all.', { min: 1, max: 10_000 }), 30),
    html: filePath('Also write a flame graph to this file.'),
    machine: machine('The machine.'),
  },
  data: {
    machine: 'the machine’s name',
    frames: 'how many were followed',
    cycles: 'of all of them',
    instructionsCut: 'true where there were more routines or instructions than are kept apart',
    rows: '[{ name, interrupt, calls, self, total, selfPercent, totalPercent }]; interrupt: irq, nmi, brk or null',
    'html?': '--html: absolute path',
  },
  examples: ['profile', 'profile --frames 200 --json', 'profile --html flame.html'],
  run: async ({ output, signal, openSession }, { frames, limit, html, machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    output.progress(null, `Profiling ${counted(frames, 'frame')}`)
    const profile = await session.client.call('running.profile', { machine, frames }, signal)
    const names = await nameLocations(session, machine, addressesIn(profile.nodes), signal)
    const report = reportProfile(profile.nodes, (address) => names.get(address)?.name ?? null)
    const followed = Math.round((profile.cycles / profile.cyclesPerFrame) * 100) / 100
    const title = `${machine}: ${counted(profile.cycles, 'cycle')} in ${counted(followed, 'frame')}`
    if (html) await saveFile(html, new TextEncoder().encode(flameGraph(report.root, title)))
    output.result(
      {
        machine,
        frames: followed,
        cycles: profile.cycles,
        instructionsCut: profile.isCut,
        rows: rowsWithShares(report, profile).map(({ row, self, total }) => ({
          ...row,
          selfPercent: self,
          totalPercent: total,
        })),
        ...(html ? { html: html.path } : {}),
      },
      [
        `${title}.`,
        ...(followed < frames * 0.99
          ? [toned('notice', `It stopped before ${counted(frames, 'frame')} had passed.`)]
          : []),
        ...(profile.isCut ? [toned('notice', 'There were too many routines: some count for their callers.')] : []),
        reportTable(report, profile, limit),
        ...(html ? [`Saved ${html.written}.`] : []),
      ],
    )
    return EXIT_OK
  },
})

const rowsWithShares = ({ rows }: ProfileReport, { cycles }: Profile) =>
  rows.map((row) => {
    const percent = (part: number): number => Math.round((part / Math.max(1, cycles)) * 10_000) / 100
    return { row, self: percent(row.self), total: percent(row.total) }
  })

function reportTable(report: ProfileReport, profile: Profile, limit: number): Exclude<Printed, readonly unknown[]> {
  const shares = rowsWithShares(report, profile)
  const percent = (share: number): string => `${share.toFixed(2)} %`
  return table([
    ['name', 'in', 'calls', 'self', 'of a frame', 'total', 'of a frame'],
    ...shares
      .slice(0, limit)
      .map(({ row, self, total }) => [
        row.name,
        row.interrupt?.toUpperCase() ?? '',
        row.calls === 0 ? '' : String(row.calls),
        String(row.self),
        percent(self),
        String(row.total),
        percent(total),
      ]),
    ...(shares.length > limit ? [[`… ${shares.length - limit} more`]] : []),
  ])
}
