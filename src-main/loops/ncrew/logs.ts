import { readAll, type Crew } from './crewFiles'
import { LOGS } from './turnLog'

/** Where versions keep their logs, the newest place first. */
const folders = [LOGS, 'logs']

/** @returns the oldest first, relative to the crew */
const logFiles = ({ listing }: Crew): string[] => {
  const folder = folders.find((name) => listing.in(name).some((path) => path.endsWith('.log')))
  return folder === undefined ? [] : listing.in(folder).filter((path) => path.endsWith('.log'))
}

/**
 * @param all every log, not the newest alone
 * @param tail lines at the end; all unless given
 */
export async function readLogs(
  crew: Crew,
  { all, tail }: { readonly all: boolean; readonly tail?: number | undefined },
): Promise<string[]> {
  const paths = logFiles(crew)
  const files = await readAll(crew.root, all ? paths : paths.slice(-1))
  const lines = [...files.values()].flatMap(({ path, text }) =>
    text === null ? [`Cannot read ${path}.`] : text.trimEnd().split(/\r?\n/),
  )
  return tail === undefined ? lines : lines.slice(Math.max(0, lines.length - tail))
}
