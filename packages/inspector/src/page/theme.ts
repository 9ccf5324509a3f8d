import { useEffect, useState } from 'preact/hooks';

const KEY = 'rethread-theme';

/** A page that was opened from a file may have no storage. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

const preferred = (): string => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

/** Light or dark: as the system has it, until somebody chooses. */
export function useTheme(): { readonly theme: string; readonly toggle: () => void } {
  const [theme, setTheme] = useState(() => stored() ?? preferred());
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const follow = (): void => {
      if (stored() === null) setTheme(preferred());
    };
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, []);
  const toggle = (): void => {
    const next = theme === 'dark' ? 'light' : 'dark';
    setTheme(next);
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // The choice lasts as long as the page.
    }
  };
  return { theme, toggle };
}
