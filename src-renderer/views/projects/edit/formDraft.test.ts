import { describe, expect, it } from 'vitest'
import type { EditValues } from '@shared/contract/edits'
import { FormDraft } from './formDraft'

function draftOf(typed: EditValues | null) {
  const stored: (EditValues | null)[] = []
  return { draft: new FormDraft(typed, (values) => stored.push(values)), stored }
}

describe('the draft of a form', () => {
  it('is not deleted when the form is left right after the draft has come in', () => {
    const { draft, stored } = draftOf(null)
    draft.load({ decision: 'A draft' })
    draft.keep()
    expect(stored).toEqual([])
    expect(draft.typed).toEqual({ decision: 'A draft' })
  })

  it('is not written over by what is typed before it has come in', () => {
    const { draft, stored } = draftOf(null)
    draft.type('reason', 'Because')
    draft.keep()
    expect(stored).toEqual([])
    draft.load({ decision: 'A draft', reason: 'Old' })
    expect(stored).toEqual([{ decision: 'A draft', reason: 'Because' }])
  })

  it('keeps each change once', () => {
    const { draft, stored } = draftOf(null)
    draft.load({})
    draft.type('decision', 'A draft')
    draft.keep()
    draft.keep()
    draft.type('decision', 'A draft, longer')
    draft.keep()
    expect(stored).toEqual([{ decision: 'A draft' }, { decision: 'A draft, longer' }])
  })

  it('is deleted when it is discarded', () => {
    const { draft, stored } = draftOf(null)
    draft.load({ decision: 'A draft' })
    draft.clear()
    draft.keep()
    expect(stored).toEqual([null])
  })

  it('keeps the values that a form is opened with', () => {
    const { draft, stored } = draftOf({ decision: 'Written again' })
    draft.keep()
    expect(stored).toEqual([{ decision: 'Written again' }])
  })
})
