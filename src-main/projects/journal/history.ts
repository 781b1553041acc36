import { cut } from '@shared/contract/bounded'
import type { Output } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { MAX_LINE_CHARACTERS } from '@shared/contract/orchestration'
import {
  MAX_DIFF_LINES,
  MAX_CHANGED_FIELDS,
  MAX_FILES,
  MAX_HUNKS,
  type FileDifference,
} from '@shared/contract/projectHistory'
import type { KnownFiles } from '../read/describeRun'
import { boundFindings, fileFinding } from '../../formats/finding'
import type { Format, Remembered } from '../../formats/format'
import { Listing } from '../../formats/listing'
import { differences, isSecret } from './observe'
import { diffTexts } from '../lineDiff'
import type { OpenProject } from '../watch/openProject'
import { isUnreadable, type StateFile } from '../../formats/text/stateFile'
import { readFromDisk, readRun, runKey, runLimits, type RunOnDisk } from '../read/readRun'
import { Contents } from '../../storage/contents'
import type { Database } from '../../storage/database'
import { EditStore } from '../../storage/edits'
import { Journal } from '../../storage/journal'
import { partOf } from '../read/filePart'

/** Agents write few broken versions in a row. */
const MAX_TRIED_VERSIONS = 20

export interface GoodVersion {
  readonly text: string
  /** ms since 1970. */
  readonly time: number
}

interface Version {
  readonly hash: string
  readonly file: StateFile
}

export class History {
  readonly #journal: Journal
  readonly #contents: Contents
  readonly #formats: readonly Format[]
  #last: { readonly key: string; readonly run: Promise<KnownFiles> } | undefined

  readonly #edits: EditStore

  constructor(database: Database, formats: readonly Format[]) {
    this.#journal = new Journal(database)
    this.#contents = new Contents(database)
    this.#edits = new EditStore(database)
    this.#formats = formats
  }

  /**
   * Other files of the project are as they are now: the journal only has files that runs were read from.
   * @throws AppError NOT_FOUND when nothing was known of the run at that time
   */
  runAt(open: OpenProject, project: number, key: string, at: number): Promise<KnownFiles> {
    const cacheKey = `${project} ${at} ${key}`
    if (this.#last?.key === cacheKey) return this.#last.run
    const run = this.#read(open, project, key, at)
    this.#last = { key: cacheKey, run }
    run.catch(() => {
      if (this.#last?.run === run) this.#last = undefined
    })
    return run
  }

  async lastGood(place: RunOnDisk, project: number, file: string): Promise<GoodVersion | undefined> {
    const now = await readFromDisk(place)
    for (const { hash, time } of this.#journal.versionsOf(project, file, MAX_TRIED_VERSIONS)) {
      const text = isSecret(file) ? undefined : this.#contents.get(project, hash)
      if (text === undefined || text.trim() === '') continue
      const version: StateFile = { path: file, text, modifiedAt: time, findings: [] }
      const files = { ...now, files: new Map([...now.files, [file, version]]) }
      if (!place.format.read(files)) continue
      const isBroken = place.format.validate(files).some((finding) => finding.file === file && isUnreadable(finding))
      if (!isBroken) return { text, time }
    }
    return undefined
  }

  /** @throws AppError NOT_FOUND when it did not exist or its content was not kept */
  part(project: number, file: string, line: number, at: number): Output<'projects.file'> {
    const version = this.#versionAt(project, file, at)
    if (!version) throw new AppError('NOT_FOUND', `Bridgedeck saw no file ${file} at that time.`)
    if (version.file.text === null)
      throw new AppError('NOT_FOUND', `The content of ${file} at that time was not kept.`, {
        hint: 'Bridgedeck does not keep versions above 4 MB, old versions or .env files.',
      })
    return partOf(version.file.text, line, version.file.modifiedAt)
  }

  compare(
    open: OpenProject,
    project: number,
    key: string,
    [from, to]: readonly [number, number],
  ): Output<'projects.compare'> {
    const files: FileDifference[] = []
    let more = 0
    let lines = MAX_DIFF_LINES
    for (const name of [...this.#namesOf(open, project, key)].sort()) {
      const [before, after] = [this.#versionAt(project, name, from), this.#versionAt(project, name, to)]
      if (before?.hash === after?.hash) continue
      if (files.length === MAX_FILES) {
        more++
        continue
      }
      const difference = compareVersions(name, before?.file, after?.file, lines)
      lines -= difference.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
      files.push(difference)
    }
    return { files, more }
  }

  async #read(open: OpenProject, project: number, key: string, at: number): Promise<KnownFiles> {
    const names = this.#namesOf(open, project, key)
    const versions = new Map<string, StateFile>()
    for (const name of names) {
      const version = this.#versionAt(project, name, at)
      if (version) versions.set(name, version.file)
    }
    const listing = new Listing(
      [...open.listing.files.filter((file) => !names.has(file)), ...versions.keys()],
      open.listing.folders,
    )
    const format = this.#formats.find(({ name }) => key.startsWith(`${name}:`))
    const candidate = format?.detect(listing).find((found) => key === runKey(format, found))
    if (!format || !candidate) throw notKnownThen()
    const source = {
      listing,
      remembered: this.#rememberedAt(open, project, key, at),
      read: (path: string) => versions.get(path),
    }
    const { files: given } = await readRun(format, candidate, source, runLimits)
    const reading = format.read(given)
    if (!reading) throw notKnownThen()
    const texts = [...given.files.values()]
    const written = texts.flatMap(({ modifiedAt }) => modifiedAt ?? [])
    return {
      key,
      format,
      reading,
      view: reading.view,
      findings: boundFindings(
        [
          ...format.validate(given),
          ...texts.flatMap(({ findings }) => findings.filter(({ rule }) => rule === NOT_KEPT)),
        ],
        candidate.marker,
      ),
      writtenAt: written.length > 0 ? Math.max(...written) : null,
      stale: null,
      revision: at,
      files: new Map(texts.map((file) => [file.path, { file }])),
    }
  }

  /** What loops remember has no time of its own, so it is taken as it is now. */
  #rememberedAt(open: OpenProject, project: number, key: string, at: number): Remembered {
    const remembered = new Map(open.rememberedOf(key))
    for (const { name, before } of this.#edits.rememberedBefore(project, key, at)) {
      if (before === null) remembered.delete(name)
      else remembered.set(name, before)
    }
    return remembered
  }

  #namesOf(open: OpenProject, project: number, key: string): Set<string> {
    return new Set([...this.#journal.filesOf(project, key), ...(open.run(key)?.wanted ?? [])])
  }

  #versionAt(project: number, path: string, at: number): Version | undefined {
    const version = this.#journal.versionAt(project, path, at)
    if (!version?.hash) return undefined
    const text = isSecret(path) ? undefined : this.#contents.get(project, version.hash)
    const findings =
      text === undefined
        ? [fileFinding(path, NOT_KEPT, 'info', 'a version whose content was not kept', 'one that can be read again')]
        : []
    return { hash: version.hash, file: { path, text: text ?? null, modifiedAt: version.time, findings } }
  }
}

const notKnownThen = (): AppError =>
  new AppError('NOT_FOUND', 'Bridgedeck knows nothing of this run at that time.', {
    hint: 'The run did not exist yet, or its files were not kept.',
  })

const NOT_KEPT = 'history/not-kept'

function compareVersions(
  file: string,
  before: StateFile | undefined,
  after: StateFile | undefined,
  most: number,
): FileDifference {
  const base: FileDifference = {
    file,
    change: before ? (after ? 'changed' : 'removed') : 'added',
    kept: false,
    fields: [],
    hunks: [],
    cut: false,
  }
  if ((before && before.text === null) || (after && after.text === null)) return base
  const [old, now] = [before?.text ?? '', after?.text ?? '']
  const difference = diffTexts(old, now)
  const fields = before && after ? differences(before, after) : []
  const hunks: FileDifference['hunks'] = []
  let left = most
  let isCut = !difference.isFine
  for (const { before: from, after: to, lines } of difference.hunks) {
    if (left <= 0 || hunks.length === MAX_HUNKS) {
      isCut = true
      break
    }
    if (lines.length > left) isCut = true
    hunks.push({
      from,
      to,
      lines: lines.slice(0, left).map((line) => cut(line, MAX_LINE_CHARACTERS + 1)),
    })
    left -= lines.length
  }
  return {
    ...base,
    kept: true,
    fields: fields
      .slice(0, MAX_CHANGED_FIELDS)
      .map(({ field, from, to }) => ({ field: field && cut(field, 1000), from: from && cut(from), to: to && cut(to) })),
    hunks,
    cut: isCut,
  }
}
