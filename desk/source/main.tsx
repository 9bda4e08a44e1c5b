import { createRoot } from 'react-dom/client'
import '../../server/platform/page/style/tokens.css'
import './base.css'
import { App } from './app.tsx'

createRoot(document.getElementById('desk')!).render(<App />)
