import type { GraphicsImage } from '@shared/graphics/grab'
import { SpriteUses } from '@shared/graphics/spriteUses'
import { frames } from './frames'

export const spriteUses = new SpriteUses()

let of = { machine: frames.machine, epoch: frames.epoch }

export function noteSpriteUses(image: GraphicsImage): void {
  if (of.machine !== frames.machine || of.epoch !== frames.epoch) {
    spriteUses.clear()
    of = { machine: frames.machine, epoch: frames.epoch }
  }
  spriteUses.note(image, frames.changeTime)
}
