import { useImperativeHandle, useRef, type MouseEvent, type Ref } from 'react'
import { cssColour } from '@shared/c64/palettes'
import { SPRITE_HEIGHT, SPRITE_WIDTH, type Sprite } from '@shared/c64/sprites'
import { drawSprite } from '../../frames/spritePixels'
import { setText } from '../../widgets/setText'
import { describeSprite, spriteColours, type SpriteText } from '@shared/c64/spriteText'

export interface SpriteCardHandle {
  paint(sprite: Sprite, palette: readonly number[]): void
  describe(sprite: Sprite, palette: readonly number[], told: ToldOfSprite): void
}

interface ToldOfSprite {
  readonly characterRomIsKnown: boolean
  readonly state?: string
  readonly more: string
}

interface SpriteCardProps {
  readonly ref: Ref<SpriteCardHandle>
  readonly n: number
  readonly label?: string
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly onAddress: () => void
  readonly onMenu: (event: MouseEvent) => void
}

/** Filled through its handle, never by a render. */
export function SpriteCard({
  ref,
  n,
  label = `Sprite ${n}`,
  isSelected,
  onSelect,
  onAddress,
  onMenu,
}: SpriteCardProps) {
  const card = useRef<HTMLLIElement>(null)

  useImperativeHandle(
    ref,
    () => ({
      paint: (...args) => drawSprite(card.current?.querySelector('canvas'), ...args),
      describe: (...args) => describe(card.current, ...args),
    }),
    [],
  )

  return (
    <li ref={card} className="sprite" data-selected={isSelected} aria-label={label} onContextMenu={onMenu}>
      <button
        type="button"
        className="sprite-picture"
        aria-label={`Select ${label.toLowerCase()}`}
        aria-pressed={isSelected}
        title="Mark it everywhere, and go to its data in memory"
        onClick={onSelect}
      >
        <canvas width={SPRITE_WIDTH} height={SPRITE_HEIGHT} aria-hidden />
      </button>
      <div className="sprite-facts">
        <h3>
          {n} <Field of="state" className="muted" />
        </h3>
        <Field of="position" className="data" />
        <div className="data">
          <Field of="pointer" />
          {' → '}
          <button
            type="button"
            className="link"
            data-of="address"
            title="Show its data in memory"
            onClick={onAddress}
          />
        </div>
        <div>
          <Field of="mode" />, <Field of="size" className="data" />
        </div>
        <Field of="priority" className="muted" />
        <div className="sprite-colours">
          {[0, 1, 2].map((index) => (
            <span key={index} className="sprite-colour">
              <i />
              <span />
            </span>
          ))}
        </div>
        <Field of="more" className="sprite-more" />
        <Field of="note" className="sprite-note" />
      </div>
    </li>
  )
}

function Field({ of, className }: { readonly of: keyof SpriteText | 'more'; readonly className?: string }) {
  return <span data-of={of} className={className} />
}

function describe(
  card: HTMLElement | null,
  sprite: Sprite,
  palette: readonly number[],
  { characterRomIsKnown, ...told }: ToldOfSprite,
): void {
  if (!card) return
  card.classList.toggle('off', !sprite.enabled)
  card.classList.toggle('wide', sprite.expandX)
  card.classList.toggle('tall', sprite.expandY)
  const texts: Readonly<Record<string, string>> = { ...describeSprite(sprite, characterRomIsKnown), ...told }
  for (const field of card.querySelectorAll<HTMLElement>('[data-of]'))
    setText(field, texts[field.dataset['of'] ?? ''] ?? '')
  const colours = spriteColours(sprite)
  card.querySelectorAll<HTMLElement>('.sprite-colour').forEach((element, index) => {
    const colour = colours[index]
    const [swatch, name] = element.children
    element.hidden = colour === undefined
    if (!colour || !(swatch instanceof HTMLElement) || !(name instanceof HTMLElement)) return
    swatch.style.background = cssColour(palette, colour.colour)
    setText(name, colour.text)
  })
}
