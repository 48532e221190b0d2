"""Everything that reaches the network, and nothing else: a polite client, and the folder of what it has downloaded.

`Client.get_json` asks for a small answer, `Client.fetch` downloads a large file to the cache. Neither knows what
cards are; what comes is for `catalog.sources` to read. Loading this package does not load the network libraries.
"""

from ccgrid.catalog.download.cache import Manifest, cache_folder
from ccgrid.catalog.download.client import CachedFile, Client
from ccgrid.catalog.download.hosts import DownloadError

__all__ = ["CachedFile", "Client", "DownloadError", "Manifest", "cache_folder"]
