import { readAll, type Crew } from './crewFiles'
import { LOGS } from './turnLog'

/** The newest version's place comes first. */
const folders = [LOGS, 'logs']

/** @returns oldest first, relative to the crew */
const logFiles = ({ listing }: Crew): string[] => {
  const folder = folders.find((name) => listing.in(name).some((path) => path.endsWith('.log')))
  return folder === undefined ? [] : listing.in(folder).filter((path) => path.endsWith('.log'))
}

/**
 * @param all every log, not only the newest
 * @param tail lines at the end; all by default
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
