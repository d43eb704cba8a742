create table posts (id text primary key);
