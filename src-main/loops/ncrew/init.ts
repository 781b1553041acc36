import { mkdir, readdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { places } from '../../formats/ncrew/detect'
import { newFiles, type Initialised } from '../newFiles'
import { ownFolder } from './ownFolder'

export interface InitOptions {
  readonly folder: string
  readonly name: string
  /** Becomes IDEA.md where there is none. */
  readonly idea?: string | undefined
  readonly crew: string
  /** ms since 1970 */
  readonly now: number
}

const MANIFEST = 'manifest.yml'

/** @throws AppError INVALID without an idea */
export async function initCrew({ folder, name, idea, crew, now }: InitOptions): Promise<Initialised> {
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)
  const isThere = await existing(root)
  if (idea === undefined && !places.idea.some(isThere)) {
    throw new AppError('INVALID', `No IDEA.md in ${root}.`, {
      hint: 'Describe in it what to build, or pass --idea.',
    })
  }
  const time = new Date(now).toISOString().replace(/\.\d+/, '')
  const values = { name: JSON.stringify(name), title: name, date: time.slice(0, 10), time }
  const files = newFiles(root)
  const { created, kept } = files
  const create = async (path: string, text: string, others: readonly string[] = []) => {
    const found = [path, ...others].find(isThere)
    if (found === undefined) await files.create(path, text)
    else kept.push(found)
  }
  if (idea !== undefined) await create('IDEA.md', idea.endsWith('\n') ? idea : `${idea}\n`, places.idea)
  const manifest = places.manifest.find(isThere)
  if (manifest !== undefined) kept.push(manifest)
  else {
    // The manifest is written last: where it exists, the crew is whole, and is the person's.
    const files = (await texts(join(crew, 'crew'))).sort(([a], [b]) => Number(a === MANIFEST) - Number(b === MANIFEST))
    for (const [path, text] of files) await create(`.noodlecrew/${path}`, path === MANIFEST ? fill(text, values) : text)
  }
  for (const [path, text] of await texts(join(crew, 'root')))
    await create(path, fill(text, values), path === 'tasks.md' ? places.tasks : [])
  await ownFolder(root, 'questions')
  return { folder: root, created, kept }
}

async function existing(root: string): Promise<(path: string) => boolean> {
  const paths = new Set<string>()
  for (const folder of ['', '.noodlecrew', '00-input']) {
    for (const name of await readdir(join(root, folder)).catch(() => []))
      paths.add(folder === '' ? name : `${folder}/${name}`)
  }
  return (path) => paths.has(path)
}

async function texts(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort()
  return Promise.all(
    paths.map(async (path): Promise<[string, string]> => [
      path.slice(folder.length + 1).replaceAll('\\', '/'),
      await readFile(path, 'utf8'),
    ]),
  )
}

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
