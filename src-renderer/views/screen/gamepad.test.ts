import { describe, expect, it } from 'vitest'
import { joystickOf } from './gamepad'

const pad = (axes: number[], ...pressed: number[]) => ({
  axes,
  buttons: Array.from({ length: 16 }, (_, button) => ({ pressed: pressed.includes(button) })),
})

describe('joystickOf', () => {
  it('reads the left stick past its middle', () => {
    expect(joystickOf(pad([0.2, -0.2]))).toEqual([])
    expect(joystickOf(pad([-0.9, 0.9]))).toEqual(['down', 'left'])
  })

  it('reads the cross and the four front buttons', () => {
    expect(joystickOf(pad([0, 0], 12, 15, 2))).toEqual(['up', 'right', 'fire'])
  })

  it('takes a pad with fewer axes and buttons', () => {
    expect(joystickOf({ axes: [], buttons: [{ pressed: true }] })).toEqual(['fire'])
  })
})
