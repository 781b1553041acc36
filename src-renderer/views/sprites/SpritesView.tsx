import type { ViewProps } from '../../app/views'

export function SpritesView({ visible }: ViewProps) {
  return <div className="view-content" data-visible={visible} />
}
