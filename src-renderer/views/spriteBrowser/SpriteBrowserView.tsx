import { EmptyState } from '../../widgets/EmptyState'

export function SpriteBrowserView() {
  return (
    <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Sprite browser">
      <EmptyState title="Sprite browser">
        <p>Nothing is here yet.</p>
      </EmptyState>
    </div>
  )
}
