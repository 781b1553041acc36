import type { RunFiles } from '../format'
import { field, timeOf } from '../text/located'
import { readFrontMatter } from '../text/frontMatter'
import { StateText, type StateFile } from '../text/stateFile'
import { readBatches, type BatchFiles } from './batches'
import { activeSession, archivedSessions } from './detect'

interface SessionSpan {
  readonly from: number
  readonly to: number
}

/** Files copied together, as by git, have times this close. */
const COPIED_TOGETHER_MS = 60_000

const spans = new WeakMap<StateFile, SessionSpan | null>()

export function ownBatches(run: RunFiles, stateDir: string): BatchFiles[] {
  const { candidate, listing, files } = run
  const active = activeSession(stateDir)
  const sessions = [...archivedSessions(listing, stateDir), active].flatMap((file) => {
    const found = files.get(file)
    const span = found && spanOf(found, file === active)
    return span ? [{ file, ...span }] : []
  })
  return readBatches(run, stateDir).filter(({ folder }) => {
    const times = [...files.values()].flatMap(({ path, modifiedAt }) =>
      path.startsWith(`${folder}/results/`) ? (modifiedAt ?? []) : [],
    )
    const time = Math.max(...times)
    const [owner] = sessions.filter(({ from, to }) => from <= time && time <= to).sort((a, b) => b.from - a.from)
    return candidate.archived ? owner?.file === candidate.marker : owner === undefined || owner.file === active
  })
}

function spanOf(file: StateFile, isActive: boolean): SessionSpan | null {
  const known = spans.get(file)
  if (known !== undefined) return known
  const { root } = readFrontMatter(new StateText(file.path, file.text ?? '')).document
  const from = timeOf(field(root, 'created'))
  const end = Math.max(timeOf(field(root, 'updated')) ?? 0, file.modifiedAt ?? 0) + COPIED_TOGETHER_MS
  const span = from === undefined ? null : { from, to: isActive ? Infinity : end }
  spans.set(file, span)
  return span
}
