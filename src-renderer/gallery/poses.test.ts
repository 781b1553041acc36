import { describe, expect, it } from 'vitest'
import { poseSelector } from './poses'

describe('the selector of a pose', () => {
  it.each([
    ['.button:hover', '.button:is(.pose-hover > *)'],
    ['.field:focus-visible', '.field:is(.pose-focus-visible > *)'],
    ['.a:focus, .a:focus-visible', '.a:is(.pose-focus > *), .a:is(.pose-focus-visible > *)'],
    ['.with-note:focus-within', '.with-note:focus-within'],
    ['.button.primary:is(:hover, :active)', '.button.primary:is(:is(.pose-hover > *), :is(.pose-active > *))'],
  ])('for %s is met by what stands in the pose', (selector, posed) => {
    expect(poseSelector(selector)).toBe(posed)
  })
})
