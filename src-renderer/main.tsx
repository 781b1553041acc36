import './app/nonce'
import './app/jitless'
import './app/windowInfo'
import 'flexlayout-react/style/underline.css'
import './styles/theme.css'
import './styles/base.css'
import './styles/docking.css'
import { createRoot } from 'react-dom/client'
import { Shell } from './app/Shell'
import { start } from './app/start'

const root = document.getElementById('root')
start(() => {
  if (root) createRoot(root).render(<Shell />)
})
