import type { Artifact, Task } from '@shared/contract/tasks'

export interface GalleryItem {
  readonly id: string
  /** Undefined while the list of tasks is read. */
  readonly task: Task | undefined
  readonly artifact: string
  readonly size: number
  /** The bytes of the same name, which can be edited. */
  readonly data: string | null
}

export const isPicture = ({ artifact }: Pick<GalleryItem, 'artifact'>): boolean => artifact.endsWith('.png')
export const fileName = (artifact: string): string => artifact.replace(/^.*\//, '')
export const itemKey = ({ id, artifact }: Pick<GalleryItem, 'id' | 'artifact'>): string => `${id} ${artifact}`

const bytesOf = (picture: string): string | null =>
  /(^|\/)(sprites|charsets)\/[^/]+\.png$/.test(picture) ? picture.replace(/\.png$/, '.bin') : null

interface TaskArtifacts {
  readonly id: string
  readonly artifacts: readonly Artifact[]
}

/** The newest task first. */
export function galleryItems(
  found: readonly TaskArtifacts[],
  tasks: ReadonlyMap<string, Task>,
): readonly GalleryItem[] {
  const timeOf = (id: string): number => tasks.get(id)?.updatedAt ?? tasks.get(id)?.startedAt ?? 0
  return found
    .toSorted((a, b) => timeOf(b.id) - timeOf(a.id) || (a.id < b.id ? 1 : -1))
    .flatMap(({ id, artifacts }) => {
      const names = new Set(artifacts.map(({ artifact }) => artifact))
      const pictures = new Set(
        [...names].filter((name) => name.endsWith('.png')).flatMap((name) => bytesOf(name) ?? []),
      )
      return artifacts
        .filter(({ artifact }) => !pictures.has(artifact))
        .map(({ artifact, size }) => {
          const bytes = isPicture({ artifact }) ? bytesOf(artifact) : artifact
          return { id, task: tasks.get(id), artifact, size, data: bytes !== null && names.has(bytes) ? bytes : null }
        })
    })
}

/** Every word must be in the file's name, its task, its operation or its date (2026-11-26). */
export function matching(items: readonly GalleryItem[], query: string): readonly GalleryItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  return items.filter((item) => {
    const text = searchText(item)
    return words.every((word) => text.includes(word))
  })
}

const searchText = ({ id, task, artifact }: GalleryItem): string =>
  [artifact, id, task?.name, task?.operation, dateOf(task)].join(' ').toLowerCase()

/** In local time. */
export function dateOf(task: Task | undefined): string {
  const time = task?.updatedAt ?? task?.startedAt
  if (time === null || time === undefined) return ''
  const date = new Date(time)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
