import { describe, expect, it } from 'vitest'
import { viewNames } from './views'
import { isWorkspaceName, placeNamed, sharedViews, workspaceNamed, workspaceNames, workspaceOf } from './workspaces'

describe('the workspaces', () => {
  it('hold each view once', () => {
    const held = workspaceNames.flatMap((name) => workspaceNamed(name).views)
    expect(held.sort()).toEqual([...viewNames].sort())
    for (const view of viewNames) expect(workspaceNamed(workspaceOf(view)).views).toContain(view)
  })

  it('share no name with a view, but for their first one', () => {
    expect(sharedViews.filter(isWorkspaceName)).toEqual([])
    for (const name of workspaceNames) {
      const { views } = workspaceNamed(name)
      if (views.length === 1 || viewNames.some((view) => view === name)) expect(views[0]).toBe(name)
    }
  })
})

describe('the name of a workspace or view', () => {
  it('is taken in any case', () => {
    expect(placeNamed('SPRITEBROWSER')).toBe('spriteBrowser')
    expect(placeNamed('graphics')).toBe('graphics')
  })

  it('is none of what does not exist', () => {
    expect(placeNamed('toString')).toBeUndefined()
    expect(placeNamed('')).toBeUndefined()
  })
})
