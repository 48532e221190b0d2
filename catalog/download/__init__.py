"""Access to the network: a client with pauses, retries and limits, and the cache folder of its downloads.

`Client.get_json` requests a small answer, `Client.fetch` downloads a large file into the cache. Neither knows about
cards; `catalog.sources` reads the data. Importing this package does not import the network libraries.
"""

from ccgrid.catalog.download.cache import Manifest, cache_folder
from ccgrid.catalog.download.client import CachedFile, Client
from ccgrid.catalog.download.errors import DownloadError

__all__ = ["CachedFile", "Client", "DownloadError", "Manifest", "cache_folder"]
