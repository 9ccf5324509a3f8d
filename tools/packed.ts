import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { alone } from './alone.mjs';
import { build, digest, packages } from './build.mjs';
import { root } from './node.mjs';

const execute = promisify(execFile);

/** All packages as npm would publish them, and a project of their user in which they are installed. */
export type Packed = {
  /** A folder with nothing but our packages in its `node_modules`, out of reach of those of the repository. */
  readonly project: string;
  /** A copy of that project in which the SDKs and frameworks of the repository are installed too. */
  readonly equipped: string;
  /** The archive of a package, by the name of its folder. */
  archive(name: string): string;
};

const manifest = JSON.stringify({ name: 'user', private: true, type: 'module' });

/** Puts our packages beside the ones that the repository has installed. */
async function equip(project: string, equipped: string): Promise<void> {
  await cp(project, equipped, { recursive: true, verbatimSymlinks: true });
  const installed = await readdir(join(root, 'node_modules'));
  for (const name of installed.filter((each) => !/^\.|^@?rethread$/.test(each))) {
    await symlink(join(root, 'node_modules', name), join(equipped, 'node_modules', name));
  }
}

async function pack(folder: string): Promise<void> {
  const archives = join(folder, 'archives');
  const project = join(folder, 'project');
  await mkdir(archives);
  await mkdir(project);
  const { stdout } = await execute('npm', ['pack', '--workspaces', '--json', '--pack-destination', archives], {
    cwd: root,
  });
  for (const { name, filename } of JSON.parse(stdout) as { name: string; filename: string }[]) {
    const home = name === 'rethread' ? 'cli' : name.replace('@rethread/', '');
    await rename(join(archives, filename), join(archives, `${home}.tgz`));
  }
  await writeFile(join(project, 'package.json'), manifest);
  const paths = packages.map((name) => join(archives, `${name}.tgz`));
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', ...paths], { cwd: project });
  await equip(project, join(folder, 'equipped'));
}

/**
 * Builds, packs and installs the packages, once for each state of their sources. Programs that run in the project see
 * what users see. The project is not inside the repository, where Node would find other packages further up.
 */
export async function packed(): Promise<Packed> {
  if ((await alone(build)) !== 0) throw new Error('the packages do not build');
  const clone = join(tmpdir(), `rethread-packed-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`);
  const home = join(clone, digest().slice(0, 16));
  await mkdir(clone, { recursive: true });
  await alone(
    async () => {
      if (existsSync(home)) return;
      for (const old of await readdir(clone)) if (old !== 'lock') await rm(join(clone, old), { recursive: true });
      const made = await mkdtemp(join(clone, 'making-'));
      await pack(made);
      await rename(made, home);
    },
    join(clone, 'lock'),
  );
  return {
    project: join(home, 'project'),
    equipped: join(home, 'equipped'),
    archive: (name) => join(home, 'archives', `${name}.tgz`),
  };
}
