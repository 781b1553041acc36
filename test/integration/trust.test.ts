/** Trust in a project's folder: asked for, kept, taken back, and never passed on to another folder in its place. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, symlink, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Payload } from '@shared/contract/contract'
import type { Projects } from '../../src-main/projects/projects'
import { identifyFolder } from '../../src-main/projects/trust'
import { openDatabase, type Database } from '../../src-main/storage/database'
import { projectsHere } from '../support/projectWorkerHere'

let folder: string
let project: string
let database: Database
let events: Payload<'projects.changed'>[]
let projects: Projects

const create = () => projectsHere(database, { onChanged: (changes) => events.push(changes) })
const isTrusted = (id: number) => projects.list().projects.find(({ project: number }) => number === id)?.trusted
const trust = (path = project) => projects.setTrusted({ path, identity: identifyFolder(path).identity }).project

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-trust-'))
  project = join(folder, 'one')
  await mkdir(join(project, 'apps/shop'), { recursive: true })
  database = openDatabase(join(folder, 'bridgedeck.sqlite'))
  events = []
  projects = create()
})
afterEach(async () => {
  await projects.closeAll()
  database.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a project', () => {
  it('is restricted until it is trusted, and again when trust is taken back', async () => {
    const { project: id } = await projects.open(project)
    expect(isTrusted(id)).toBe(false)
    expect(() => projects.requireTrusted(id)).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN', hint: expect.stringContaining('Trust it') as string }),
    )
    expect(trust()).toBe(id)
    expect(isTrusted(id)).toBe(true)
    expect(projects.requireTrusted(id)).toMatchObject({
      root: identifyFolder(project).root,
      path: identifyFolder(project).root,
    })
    await expect.poll(() => events.at(-1)?.projects).toEqual([expect.objectContaining({ project: id, trusted: true })])
    projects.distrust(id)
    expect(isTrusted(id)).toBe(false)
    expect(() => projects.requireTrusted(id)).toThrow(/restricted/)
  })

  it('in a repository that begins above it names the top to be trusted, and lets git work there once it is', async () => {
    const root = identifyFolder(project).root
    const shop = join(root, 'apps/shop')
    execFileSync('git', ['init', '--quiet', root])
    const { project: id } = await projects.open(shop)
    trust(shop)
    expect(projects.folder(id).repositoryAbove).toEqual(identifyFolder(root))
    expect(projects.requireTrusted(id).holds(root)).toBe(false)
    const top = trust(root)
    expect(projects.folder(id).repositoryAbove).toBeNull()
    expect(projects.requireTrusted(id)).toMatchObject({ root: shop, path: shop, bounds: root })
    expect(projects.requireTrusted(id).holds(identifyFolder(folder).root)).toBe(false)
    projects.distrust(top)
    expect(projects.requireTrusted(id).holds(root)).toBe(false)
    projects.distrust(id)
    trust(root)
    expect(() => projects.requireTrusted(id)).toThrow(/restricted/)
  })

  it('stays trusted over a restart, and when it is closed and opened again', async () => {
    const { project: id } = await projects.open(project)
    trust()
    await projects.closeAll()
    projects = create()
    await projects.open(project)
    expect(isTrusted(id)).toBe(true)
    await projects.close(id)
    await projects.reopen(id)
    expect(projects.requireTrusted(id).path).toBe(identifyFolder(project).root)
  })

  it('that was never opened can be trusted, and is then on the list, closed', () => {
    const id = trust()
    expect(projects.list().projects).toEqual([expect.objectContaining({ project: id, state: 'closed', trusted: true })])
  })

  it('that is forgotten is not trusted when it comes again', async () => {
    const id = trust()
    projects.forget(id)
    expect(isTrusted((await projects.open(project)).project)).toBe(false)
  })

  it('is not trusted any more when another folder stands in its place', async () => {
    const { project: id } = await projects.open(project)
    trust()
    await rename(project, join(folder, 'elsewhere'))
    await mkdir(project)
    expect(() => projects.requireTrusted(id)).toThrow(/was replaced after you trusted it/)
    await expect.poll(() => isTrusted(id)).toBe(false)
    // The folder that was trusted, at another place, is not trusted there.
    await rm(project, { recursive: true })
    await symlink(join(folder, 'elsewhere'), project)
    expect(() => projects.requireTrusted(id)).toThrow(/was replaced after you trusted it/)
    await unlink(project)
    await rename(join(folder, 'elsewhere'), project)
    expect(projects.requireTrusted(id).path).toBe(identifyFolder(project).root)
  })

  it('opened by a link is the folder that the link led to when it was trusted', async () => {
    const link = join(folder, 'link')
    await symlink(project, link)
    await mkdir(join(folder, 'other'))
    const { project: id } = await projects.open(link)
    trust(link)
    expect(projects.requireTrusted(id).path).toBe(identifyFolder(project).root)
    await unlink(link)
    await symlink(join(folder, 'other'), link)
    expect(() => projects.requireTrusted(id)).toThrow(/was replaced after you trusted it/)
  })

  it('is not trusted for another folder than the person was asked about', async () => {
    const { identity } = identifyFolder(project)
    await rm(project, { recursive: true })
    await mkdir(project)
    expect(() => projects.setTrusted({ path: project, identity })).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }),
    )
    expect(() => identifyFolder(join(folder, 'none'))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  })

  it('is trusted with its folders, not with those that lead out of it, and not for a project inside it', async () => {
    const id = trust()
    expect(projects.requireTrusted(id, 'apps/shop')).toMatchObject({
      root: identifyFolder(project).root,
      path: join(identifyFolder(project).root, 'apps/shop'),
    })
    expect(() => projects.requireTrusted(id, '..')).toThrow(/is outside the project/)
    await symlink(folder, join(project, 'out'))
    expect(() => projects.requireTrusted(id, 'out')).toThrow(/is outside the project/)
    const { project: inner } = await projects.open(join(project, 'apps'))
    expect(isTrusted(inner)).toBe(false)
    expect(() => projects.requireTrusted(inner)).toThrow(/restricted/)
  })
})
