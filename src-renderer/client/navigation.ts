import type { ViewName } from '@shared/views'

type Show = (view: ViewName) => Promise<void>

let show: Show = () => Promise.resolve()

/** The window's layout, which knows the panels, says how a view is shown. */
export const setNavigation = (navigate: Show): void => {
  show = navigate
}

/**
 * Shows a view in its workspace, in front of its panel, and moves the keyboard into it. Resolves once it is in the document.
 */
export const showView: Show = (view) => show(view)
