import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.h2.mvstore.MVStore;

/** Speaks MongoDB's protocol on a file of H2: {@code java MongoWire PORT FILE MAJOR}. */
public class MongoWire {
  private static final Set<String> READS = Set.of(
      "hello", "isMaster", "ismaster", "ping", "buildInfo", "find", "getMore", "aggregate", "count", "distinct", "listIndexes", "listCollections");

  /** What was answered has left this process, so that killing it loses nothing; and no write does by half, since a commit takes whatever is there. */
  static class DurableBackend extends H2Backend {
    private final ReadWriteLock commits = new ReentrantReadWriteLock();

    DurableBackend(String file) {
      super(new MVStore.Builder().fileName(file).autoCommitDisabled().open());
    }

    @Override
    public Document handleMessage(MongoMessage message) {
      if (READS.contains(message.getDocument().keySet().iterator().next())) return super.handleMessage(message);
      Document answer = locked(commits.readLock(), () -> super.handleMessage(message));
      locked(commits.writeLock(), () -> {
        commit();
        return null;
      });
      return answer;
    }

    private static <T> T locked(Lock lock, Supplier<T> act) {
      lock.lock();
      try {
        return act.get();
      } finally {
        lock.unlock();
      }
    }
  }

  /** What it says of its version; of what it can do it says what current drivers ask for. */
  record Version(int major) implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(major, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 21;
    }
  }

  public static void main(String[] arguments) throws Exception {
    MongoServer server = new MongoServer(new DurableBackend(arguments[1]).version(new Version(Integer.parseInt(arguments[2]))));
    server.bind("127.0.0.1", Integer.parseInt(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    System.out.println("Ready");
    Thread.currentThread().join();
  }
}
